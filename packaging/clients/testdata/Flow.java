import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DocumentsApi;
import org.openapitools.client.api.FacesApi;
import org.openapitools.client.model.DocumentRequest;
import org.openapitools.client.model.FaceMatchRequest;
import org.openapitools.client.model.LivenessRequest;

public class Flow {
  static String picture(String name) throws Exception {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of("models/samples/" + name)));
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL") + "/v1");
    client.setRequestInterceptor(r -> r.header("ApiKey", System.getenv("API_KEY")));
    DocumentsApi documents = new DocumentsApi(client);
    FacesApi faces = new FacesApi(client);
    var front = documents.readIDFront(new DocumentRequest().image(picture("id_front.jpg")), null).getData();
    UUID id = front.getTransactionId();
    var back = documents.readIDBack(new DocumentRequest().transactionId(id).image(picture("id_back.jpg")), null).getData();
    var match = faces.matchFace(new FaceMatchRequest().transactionId(id).image(picture("burst/1.jpg")), null).getData();
    var live = faces.checkLiveness(new LivenessRequest().transactionId(id).face1(picture("burst/1.jpg"))
        .face2(picture("burst/2.jpg")).face3(picture("burst/3.jpg")), null).getData();
    String code = "";
    try {
      documents.readIDFront(new DocumentRequest().image("AAAA"), null);
    } catch (ApiException e) {
      code = e.getResponseBody().replaceAll(".*\"error_code\":(\\d+).*", "$1");
    }
    System.out.println(front.getIdNumber().equals(back.getIdNumber()) + " " + match.getIsMatched() + " " + live.getIsLive() + " " + code);
  }
}
